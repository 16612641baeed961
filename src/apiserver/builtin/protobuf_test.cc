#include "apiserver/builtin/protobuf.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <string_view>

#include <boost/json.hpp>

#include "kube/api/typed_text.h"

namespace millwright::apiserver {
namespace {

namespace json = boost::json;
using namespace std::string_literals;
using namespace std::string_view_literals;

std::string FromHex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}

struct Recorded {
  std::string bytes;
  json::value object;
};

// Both made by client-go 0.36 of the same objects.
std::vector<Recorded> ReadRecorded() {
  std::ifstream file(MILLWRIGHT_SOURCE_DIR
                     "/src/apiserver/builtin/testdata/protobuf_recorded.jsonl");
  std::vector<Recorded> all;
  for (std::string line; std::getline(file, line);) {
    const json::value record = json::parse(line);
    all.push_back({FromHex(record.at("hex").as_string()), record.at("json")});
  }
  return all;
}

TEST(DecodeProtobuf, GivesTheJsonOfTheSameClient) {
  const auto all = ReadRecorded();
  EXPECT_GE(all.size(), 15U);
  for (const auto& recorded : all) {
    const auto decoded = DecodeProtobuf(recorded.bytes);
    ASSERT_TRUE(decoded) << decoded.error().message() << "\n" << kube::JsonText(recorded.object);
    EXPECT_EQ(kube::JsonText(*decoded), kube::JsonText(recorded.object));
  }
}

TEST(DecodeProtobuf, EveryBeginningOfABodyIsRefusedOrDecoded) {
  for (const auto& recorded : ReadRecorded()) {
    for (std::size_t size = 0; size < recorded.bytes.size(); ++size) {
      static_cast<void>(DecodeProtobuf(std::string_view(recorded.bytes).substr(0, size)));
    }
  }
}

TEST(DecodeProtobuf, KnowsItsOwn) {
  EXPECT_TRUE(IsProtobuf("k8s\0..."sv));
  EXPECT_FALSE(IsProtobuf("{}"));
  EXPECT_FALSE(IsProtobuf("k8s"));
}

// A field of bytes.
std::string Bytes(unsigned number, std::string_view bytes) {
  std::string text;
  for (std::size_t value : {std::size_t{number << 3U | 2U}, bytes.size()}) {
    for (; value > 0x7FU; value >>= 7U) text += static_cast<char>((value & 0x7FU) | 0x80U);
    text += static_cast<char>(value);
  }
  return text.append(bytes);
}

std::string Enveloped(std::string_view api_version, std::string_view kind,
                      std::string_view message) {
  return "k8s\0"s + Bytes(1, Bytes(1, api_version) + Bytes(2, kind)) + Bytes(2, message);
}

std::string Complaint(const std::string& body) {
  const auto decoded = DecodeProtobuf(body);
  return decoded ? "" : decoded.error().message();
}

TEST(DecodeProtobuf, RefusesOtherKinds) {
  EXPECT_EQ(Complaint(Enveloped("v1", "Frob", "")),
            R"(no kind "Frob" is registered for version "v1")");
  EXPECT_EQ(Complaint(Enveloped("a/b/c", "Pod", "")),
            R"(no kind "Pod" is registered for version "a/b/c")");
}

TEST(DecodeProtobuf, SkipsUnknownFields) {
  const auto decoded = DecodeProtobuf(Enveloped("v1", "ConfigMap", "\xFA\x01\x01x"s));
  ASSERT_TRUE(decoded);
  EXPECT_EQ(kube::JsonText(*decoded), R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{}})");
}

TEST(DecodeProtobuf, RefusesWhatIsNoMessage) {
  EXPECT_EQ(Complaint(Enveloped("v1", "ConfigMap", "\x0A\x05")),
            "proto: unexpected end of the message");
  EXPECT_EQ(Complaint(Enveloped("v1", "ConfigMap", "\x08\x01")), "proto: wrong wireType = 0");
  EXPECT_EQ(Complaint(Enveloped("v1", "ConfigMap", "\x0B")), "proto: illegal wireType 3");
  EXPECT_EQ(Complaint(Enveloped("v1", "ConfigMap", std::string(12, '\xFF'))),
            "proto: integer overflow");
  EXPECT_EQ(Complaint(Enveloped("v1", "ConfigMap", "\x12\x04\x0A\x02\xC3\x28")),
            "proto: a string is not valid UTF-8");
}

TEST(DecodeProtobuf, RefusesVersionsThatAreNoText) {
  EXPECT_EQ(Complaint(Enveloped("\x80"
                                "1",
                                "GetOptions", "")),
            "proto: a string is not valid UTF-8");
}

TEST(DecodeProtobuf, BoundsTheDepth) {
  std::string schema;
  for (int i = 0; i < 500; ++i) schema = Bytes(28, schema);  // "not"
  const std::string version = Bytes(4, Bytes(1, schema));
  EXPECT_EQ(Complaint(Enveloped("apiextensions.k8s.io/v1", "CustomResourceDefinition",
                                Bytes(2, Bytes(7, version)))),
            "proto: the object is nested too deep");
}

TEST(DecodeProtobuf, BoundsTheNumberOfValues) {
  std::string containers;
  for (int i = 0; i < 600'000; ++i) containers += Bytes(2, "");
  EXPECT_EQ(Complaint(Enveloped("v1", "Pod", Bytes(2, containers))),
            "proto: the object has too many values");
}

}  // namespace
}  // namespace millwright::apiserver
