#include "kube/api/schema_format.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace millwright::kube {
namespace {

struct FormatCase {
  const char* format;
  std::vector<std::string> good;
  std::vector<std::string> bad;
};

// Every verdict here was given by kube-apiserver 1.36's own libraries.
const FormatCase kCases[] = {
    {"date-time",
     {"2020-01-01T00:00:00Z", "2020-01-01t00:00:00z", "2020-01-01T00:00:00+01:00",
      "2020-01-01T00:00:00.123Z"},
     {"2020-13-01T00:00:00Z", "2020-01-01", "2020-01-01T24:00:00Z", "2020-01-01T23:59:60Z",
      "2020-01-01 00:00:00Z", "2020-01-01T00:00:00", "2020-02-30T00:00:00Z", "2020-01-01T00:00Z",
      "x"}},
    {"date", {"2020-01-01", "2020-02-29"}, {"2020-1-1", "2021-02-29", "x", "2020-01-01 "}},
    {"byte", {"YQ==", "YWI=", "YWJj"}, {"", "YQ", "a b", "-_-_"}},
    {"uuid",
     {"123e4567-e89b-12d3-a456-426614174000", "123E4567E89B12D3A456426614174000"},
     {"123e4567-e89b-12d3-a456-42661417400", "x", ""}},
    {"uuid3", {"123e4567-e89b-32d3-0456-426614174000"}, {"123e4567-e89b-42d3-a456-426614174000"}},
    {"uuid4",
     {"123e4567-e89b-42d3-a456-426614174000", "123E4567-E89B-42D3-B456-426614174000"},
     {"123e4567-e89b-42d3-0456-426614174000"}},
    {"uuid5", {"123e4567-e89b-52d3-a456-426614174000"}, {"123e4567-e89b-42d3-a456-426614174000"}},
    {"ipv4",
     {"1.2.3.4", "01.02.03.04", "::ffff:1.2.3.4"},
     {"256.1.1.1", "1.2.3", "::1", "1.2.3.4.5", "1.2.3.4 ", "", "a.b.c.d"}},
    {"ipv6",
     {"::1", "::", "1:2:3:4:5:6:7:8"},
     {"1.2.3.4", "fe80::1%eth0", "1:2:3:4:5:6:7:8:9", "g::1"}},
    {"cidr",
     {"1.2.3.0/24", "::/0", "01.2.3.4/24", "fe80::/10"},
     {"1.2.3.4/33", "::1/129", "1.2.3.4", "1.2.3.4/", "1.2.3.4/-1", "1.2.3.4/+1"}},
    {"uri",
     {"http://a", "http://a/b?c#d", "/a/b", "mailto:x@y", "*", "http://a/b c", "http://[::1]:80/",
      "http://u:p@h/", "http://:80", "http://a?%zz", "urn:isbn:123", "//host/path"},
     {"", "a/b", "http://a b/", "http://%zz/", "http://a/%zz", "http://a:b/", "://a", "1http://x",
      "http://a\\b/", "http://exa^mple.com", "http://ex%41mple/"}},
    {"hostname",
     {"a", "a.bc", "example.com", "a-b", "my-host.example.com", "1.com", "a-", "é.com", "☃.com"},
     {"ab-c", "my-host-name", "-a", "", "a_b", "a.1", "a..b", "a.", "example.c", "host.123"}},
    {"email",
     {"a@b", "a@b.c", "Bob <a@b.c>", "\"x y\"@b.c", "<a@b>", "é@b.c", " a@b ", "Bob Smith <a@b.c>",
      "B.C. <a@b>", "a@b (c)", "a@[1.2.3.4]"},
     {"a", "@b", "a@", "a b@c", "a@b c", ".a@b.c", "a..b@c", "a@b,c@d"}},
    {"duration",
     {"1h", "1h30m", "22 ns", "1 day", "3 days", "1d", "0", "-1h", ".5s", "2 hours", "1h 30m"},
     {"5", "", "1x", "1 fortnight"}},
    {"mac",
     {"01:23:45:67:89:ab", "01-23-45-67-89-ab", "0123.4567.89ab", "01:23:45:67:89:ab:cd:ef"},
     {"01:23:45:67:89", "x", "01:23:45:67:89-ab"}},
    {"k8s-short-name", {"abc"}, {"A", "a.b", "-"}},
    {"k8s-long-name", {"a.b"}, {"A", "-"}},
    {"password", {"", "x"}, {}},
    {"unheard-of", {"", "x"}, {}},
};

TEST(HasFormat, JudgesAsAServerDoes) {
  for (const auto& test : kCases) {
    for (const auto& text : test.good)
      EXPECT_TRUE(HasFormat(text, test.format)) << test.format << " " << text;
    for (const auto& text : test.bad)
      EXPECT_FALSE(HasFormat(text, test.format)) << test.format << " " << text;
  }
}

TEST(IsStringFormat, IgnoresDashesAndStrangers) {
  EXPECT_TRUE(IsStringFormat("date-time"));
  EXPECT_TRUE(IsStringFormat("datetime"));
  EXPECT_FALSE(IsStringFormat("int32"));
  EXPECT_FALSE(IsStringFormat(""));
}

}  // namespace
}  // namespace millwright::kube
