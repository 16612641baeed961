// The functions, library by library.
#include <gtest/gtest.h>

#include "kube/cel/testing.h"

namespace millwright::kube::cel {
namespace {

TEST(CelLibraryTest, Texts) {
  const Case cases[] = {
      {"size('h\u00e9llo')", "5"},
      {"'hello'.size()", "5"},
      {"'hello'.startsWith('he')", "true"},
      {"'hello'.endsWith('lo')", "true"},
      {"'hello'.contains('ell')", "true"},
      {"'abc123'.matches('^[a-z]+[0-9]+$')", "true"},
      {"matches('abc', 'b')", "true"},
      {"'abc'.matches('(')", "issue: ERROR: <input>:1:15: invalid matches argument"},
      {"'a-b-c'.split('-')", "['a', 'b', 'c']"},
      {"'a-b-c'.split('-', 2)", "['a', 'b-c']"},
      {"'abc'.split('')", "['a', 'b', 'c']"},
      {"['a', 'b'].join('-')", "'a-b'"},
      {"names.join()", "'ba'"},
      {"'AbC'.lowerAscii()", "'abc'"},
      {"'AbC'.upperAscii()", "'ABC'"},
      {"' a '.trim()", "'a'"},
      {"'hello'.replace('l', 'L')", "'heLLo'"},
      {"'hello'.replace('l', 'L', 1)", "'heLlo'"},
      {"'ab'.replace('', '_')", "'_a_b_'"},
      {"'hello'.substring(1)", "'ello'"},
      {"'hello'.substring(1, 3)", "'el'"},
      {"'hello'.substring(3, 1)", "error: invalid substring range. start: 3, end: 1"},
      {"'hello'.substring(9)", "error: index out of range: 9"},
      {"'hello'.indexOf('l')", "2"},
      {"'hello'.indexOf('z')", "-1"},
      {"'hello'.indexOf('l', 3)", "3"},
      {"'hello'.lastIndexOf('l')", "3"},
      {"'hello'.charAt(1)", "'e'"},
      {"'abc 123'.find('[0-9]+')", "'123'"},
      {"'1 22 3'.findAll('[0-9]+')", "['1', '22', '3']"},
      {"'1 22 3'.findAll('[0-9]+', 2)", "['1', '22']"},
      {"'%s has %d of %.2f'.format(['a', 2, 1.5])", "'a has 2 of 1.50'"},
      {"'%s'.format([[1, 'a', 1.5, b'x']])", "'[1, \"a\", 1.500000, b\"x\"]'"},
      {"'%s'.format([{'k': 'v', 'b': 1}])", "'{\"b\":1, \"k\":\"v\"}'"},
      {"'%s'.format([[duration('90s')]])", "'[duration(\"90s\")]'"},
      {"'%e'.format([1234.5])", "'1.234500×10⁰³'"},
      {"'%x %b'.format([255, 5])", "'ff 101'"},
      {"'%s'.format([optional.of(1)])",
       "error: error during formatting: string clause can only be used on strings, bools, bytes, "
       "ints, doubles, maps, lists, types, durations, and timestamps, was given optional_type"},
      {"'%d'.format([1.5])",
       "error: error during formatting: decimal clause can only be used on integers, was given "
       "double"},
      {"'%f'.format(['NaN'])", "'NaN'"},
      {"strings.quote('a\"b')", "'\"a\\\"b\"'"},
  };
  Expect(cases);
}

TEST(CelLibraryTest, Conversions) {
  const Case cases[] = {
      {"int('42')", "42"},
      {"int('4x')", "error: type conversion error from 'string' to 'int'"},
      {"int(3.9)", "3"},
      {"uint(3)", "3u"},
      {"uint(-3)", "error: unsigned integer overflow"},
      {"double('1.5')", "1.5"},
      {"string(1.0)", "'1'"},
      {"string(true)", "'true'"},
      {"bool('true')", "true"},
      {"type(1) == int", "true"},
      {"type('a') == string", "true"},
      {"type(x) == int ? x < 10 : true", "true"},
      {"type(duration('1s')) == google.protobuf.Duration", "true"},
      {"string(duration('90s'))", "'90s'"},
      {"duration('1h') > duration('59m')", "true"},
      {"duration('1h30m').getMinutes()", "90"},
      {"duration('1s500ms').getMilliseconds()", "1500"},
      {"duration('x')", "issue: ERROR: <input>:1:10: invalid duration argument"},
      {"timestamp('2026-01-02T03:04:05Z').getFullYear()", "2026"},
      {"timestamp('2026-01-02T03:04:05Z').getMonth()", "0"},
      {"timestamp('2026-01-02T03:04:05Z').getHours('+02:00')", "5"},
      {"string(timestamp('2026-01-02T03:04:05Z') + duration('1h'))", "'2026-01-02T04:04:05Z'"},
      {"timestamp('2026-01-02T00:00:00Z') - timestamp('2026-01-01T00:00:00Z') == duration('24h')",
       "true"},
      {"timestamp('9999-12-31T23:59:59Z') + duration('1s')", "error: timestamp overflow"},
      {"int(timestamp('1970-01-01T00:01:00Z'))", "60"},
  };
  Expect(cases);
}

TEST(CelLibraryTest, ListsAndSets) {
  const Case cases[] = {
      {"[1, 2, 3].sum()", "6"},
      {"[1.5, 2.5].sum()", "4"},
      {"[3, 1, 2].max()", "3"},
      {"[3, 1, 2].min()", "1"},
      {"[1, 2].isSorted()", "true"},
      {"[2, 1].isSorted()", "false"},
      {"['a', 'b'].indexOf('b')", "1"},
      {"[1, 2, 1].lastIndexOf(1)", "2"},
      {"[1, 2, 3].slice(1, 3)", "[2, 3]"},
      {"[[1], [2, 3]].flatten()", "[1, 2, 3]"},
      {"[3, 1, 2].sort()", "[1, 2, 3]"},
      {"[1, 1, 2].distinct()", "[1, 2]"},
      {"[1, 2].reverse()", "[2, 1]"},
      {"['bb', 'a', 'cc'].sortBy(s, s.size())", "['a', 'bb', 'cc']"},
      {"[1, 2, 3].sortBy(i, -i)", "[3, 2, 1]"},
      {"lists.range(3)", "[0, 1, 2]"},
      {"sets.contains([1, 2, 3], [2, 3])", "true"},
      {"sets.equivalent([1, 2, 2], [2, 1])", "true"},
      {"sets.intersects([1], [2])", "false"},
      {"size([1, 2])", "2"},
      {"{'a': 1}.size()", "1"},
  };
  Expect(cases);
}

TEST(CelLibraryTest, Optionals) {
  const Case cases[] = {
      {"{'a': 1}.?a", "optional(1)"},
      {"{'a': 1}.?b", "none"},
      {"{'a': 1}.?b.orValue(5)", "5"},
      {"{'a': {'b': 2}}.?a.b", "optional(2)"},
      {"{'a': {'b': 2}}.?c.b.hasValue()", "false"},
      {"[1][?0]", "optional(1)"},
      {"[1][?1].orValue(9)", "9"},
      {"{'a': 1}[?'a'].value()", "1"},
      {"optional.none().value()", "error: optional.none() dereference"},
      {"optional.of(1).or(optional.of(2))", "optional(1)"},
      {"optional.ofNonZeroValue('')", "none"},
      {"optional.of(2).optMap(v, v * 3)", "optional(6)"},
      {"optional.of(2).optFlatMap(v, optional.of(v))", "optional(2)"},
      {"[?optional.of(1), ?optional.none(), 3]", "[1, 3]"},
  };
  Expect(cases);
}

TEST(CelLibraryTest, KubernetesLibraries) {
  const Case cases[] = {
      {"quantity('1Gi').isGreaterThan(quantity('1G'))", "true"},
      {"quantity('500m').add(quantity('500m')) == quantity('1')", "true"},
      {"isQuantity('1x')", "false"},
      {"quantity('lots')",
       "error: quantities must match the regular expression "
       "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"},
      {"quantity('2').asInteger()", "2"},
      {"quantity('1.5').isInteger()", "false"},
      {"sign(quantity('-1'))", "-1"},
      {"quantity('50k').compareTo(quantity('50000'))", "0"},
      {"isURL('https://example.com:80/p?a=1&a=2')", "true"},
      {"isURL('example')", "false"},
      {"url('https://example.com:80/p?a=1&a=2').getHost()", "'example.com:80'"},
      {"url('https://example.com:80/p').getHostname()", "'example.com'"},
      {"url('https://[::1]:80/p').getPort()", "'80'"},
      {"url('https://example.com/p?a=1&a=2').getQuery()", "{'a': ['1', '2']}"},
      {"url('https://example.com/a%20b').getEscapedPath()", "'/a%20b'"},
      {"url('https://example.com/a b').getEscapedPath()", "'/a%20b'"},
      {"isIP('10.0.0.1')", "true"},
      {"isIP('10.0.0.01')", "false"},
      {"ip('::1').isLoopback()", "true"},
      {"ip('10.0.0.1').family()", "4"},
      {"ip.isCanonical('2001:DB8::1')", "false"},
      {"string(ip('2001:DB8::1'))", "'2001:db8::1'"},
      {"cidr('10.0.0.0/8').containsIP('10.1.2.3')", "true"},
      {"cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')", "true"},
      {"string(cidr('10.1.2.3/8').masked())", "'10.0.0.0/8'"},
      {"isCIDR('10.0.0.0/33')", "false"},
      {"isSemver('1.2.3-rc.1')", "true"},
      {"semver('1.2.3-rc.1').isLessThan(semver('1.2.3'))", "true"},
      {"semver('v1.2', true).minor()", "2"},
      {"!format.dns1123Label().validate('ok').hasValue()", "true"},
      {"format.named('dns1123Label').hasValue()", "true"},
      {"format.dns1123Label().validate('NO').value().size()", "1"},
      {"format.uuid().validate('x').value()", "['does not match the UUID format']"},
  };
  Expect(cases);
}

}  // namespace
}  // namespace millwright::kube::cel
