// The bytes here were written by protoc's own code from provider.proto: what we write and read is
// what every other implementation does.
#include "providers/grpc/messages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "providers/grpc/hex_for_test.h"

namespace millwright::providers::grpc {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kInstance =
    "0a06783a2f2f2f3112016e1a036d2d312203752d312a160a0a496e7465726e616c4950120831302e302e302e31320c"
    "0880f2d6ca061080cab5ee013801";
constexpr std::string_view kClass = "0a05736d616c6c120464656d6f1a0c7b2273697a65223a2273227d";
constexpr std::string_view kMachine = "0a03752d3112036d2d311a0573686f6f742206783a2f2f2f31";

std::string Bytes(std::initializer_list<std::string_view> parts) {
  std::string hex;
  for (const std::string_view part : parts) hex += part;
  return FromHex(hex);
}

const InstanceClass kSmall{.name = "small", .provider_spec = R"({"size":"s"})"};
const MachineIdentity kOne{
    .uid = Uid("u-1"), .name = "m-1", .namespace_ = "shoot", .instance = "x:///1"};

Instance WholeInstance() {
  return {.id = "x:///1",
          .node = "n",
          .machine = "m-1",
          .machine_uid = Uid("u-1"),
          .addresses = {{"InternalIP", "10.0.0.1"}},
          .made = WallTime(1767225600s + 500ms),
          .needs_initialize = true};
}

TEST(MessagesTest, RequestsAreWrittenAsProtocWritesThem) {
  InstanceClass secret = kSmall;
  secret.secrets.emplace("token", SecretText("hush"));
  const ClassCall plain{.provider = "demo", .instance_class = kSmall};
  const ClassCall with_secret{.provider = "demo", .instance_class = secret};
  EXPECT_EQ(EncodeDelete(with_secret, kOne),
            Bytes({"0a19", kMachine, "121b", kClass, "1a0d0a05746f6b656e120468757368"}));
  EXPECT_EQ(EncodeList(plain, 1000, "t"), Bytes({"0a1b", kClass, "18e807220174"}));
  EXPECT_EQ(EncodeGetVolumeIds(plain, {"{}", ""}), Bytes({"0a1b", kClass, "1a027b7d1a00"}));
  secret.secrets.emplace("user", SecretText(""));
  EXPECT_EQ(EncodeCreate(with_secret,
                         {.machine = kOne, .user_data = SecretText("#!"), .remembered = "st"}),
            Bytes({"0a19", kMachine, "121b", kClass,
                   "1a0d0a05746f6b656e1204687573681a080a04757365721200220223212a027374"}));
}

TEST(MessagesTest, ACreatedInstanceIsReadWhole) {
  Instance want = WholeInstance();
  want.remember = "kept";
  const auto created = DecodeCreated(Bytes({"0a3d", kInstance, "1a046b657074"}), "m-1");
  ASSERT_TRUE(created) << created.error().message();
  EXPECT_EQ(*created, want);
}

TEST(MessagesTest, PendingComesBackAfterAWhile) {
  const auto created = DecodeCreated(FromHex("120a0a0808021080cab5ee01"), "m-1");
  ASSERT_TRUE(created);
  EXPECT_EQ(created->pending, 2500ms);
  const auto at_once = DecodeCreated(FromHex("1200"), "m-1");
  ASSERT_TRUE(at_once);
  EXPECT_EQ(at_once->pending, 100ms);
  EXPECT_EQ(*DecodeDeleted(FromHex("0a0a0a0808021080cab5ee01")), 2500ms);
  EXPECT_EQ(*DecodeDeleted(""), std::nullopt);
}

TEST(MessagesTest, NamesThatAreLeftOutAreTheMachines) {
  const auto found = DecodeInstance(FromHex("0a080a06783a2f2f2f31"), "m-1");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->node, "m-1");
  EXPECT_EQ(found->machine, "m-1");
  EXPECT_FALSE(found->needs_initialize);
}

TEST(MessagesTest, APageOfInstances) {
  const auto page =
      DecodePage(Bytes({"0a3d", kInstance, "0a0d0a06783a2f2f2f321a036d2d3212046d6f7265"}));
  ASSERT_TRUE(page) << page.error().message();
  EXPECT_THAT(page->instances,
              ElementsAre(WholeInstance(), Instance{.id = "x:///2", .machine = "m-2"}));
  EXPECT_EQ(page->next, "more");
}

TEST(MessagesTest, WhoIsThereAndWhatItCan) {
  const auto info = DecodeInfo(FromHex("0a016e1201761a0464656d6f1a056f74686572"));
  ASSERT_TRUE(info);
  EXPECT_EQ(info->name, "n");
  EXPECT_EQ(info->version, "v");
  EXPECT_THAT(info->providers, ElementsAre("demo", "other"));
  // Of a later version's abilities (129) nothing is believed.
  EXPECT_EQ(*DecodeAbilities(FromHex("0a0402038101")), (Abilities{.status = true, .list = true}));
  // Not packed, as old writers do.
  EXPECT_EQ(*DecodeAbilities(FromHex("08010804")),
            (Abilities{.initialize = true, .volume_ids = true}));
  EXPECT_THAT(*DecodeVolumeIds(FromHex("0a01760a00")), ElementsAre("v", ""));
}

TEST(MessagesTest, WhatFailedMayHaveSomethingToKeep) {
  constexpr std::string_view kAny =
      "0a36747970652e676f6f676c65617069732e636f6d2f6d696c6c7772696768742e70726f76696465722e76312e45"
      "72726f7244657461696c12060a0468616c66";
  EXPECT_EQ(DecodeRemembered(Bytes({"080e", "1a40", kAny})), "half");
  EXPECT_EQ(DecodeRemembered(FromHex("080e")), std::nullopt);
  EXPECT_EQ(DecodeRemembered("\xff\xff"), std::nullopt);
}

TEST(MessagesTest, WhatIsUnknownIsSkipped) {
  // Fields 15 of all types before the id.
  const auto found = DecodeInstance(FromHex("7801"
                                            "7a0161"
                                            "790000000000000000"
                                            "7d00000000"
                                            "0a080a06783a2f2f2f31"),
                                    "m");
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(found->id, "x:///1");
}

TEST(MessagesTest, WhatIsDamagedIsRefused) {
  EXPECT_THAT(DecodeCreated("", "m").error().message(), HasSubstr("neither an instance"));
  EXPECT_THAT(DecodeInstance("", "m").error().message(), HasSubstr("no instance"));
  EXPECT_THAT(DecodeInstance(FromHex("0a0312016e"), "m").error().message(),
              HasSubstr("without provider_id"));
  EXPECT_THAT(DecodePage(FromHex("0a0312016e")).error().message(),
              HasSubstr("without provider_id"));
  EXPECT_THAT(DecodeInstance(FromHex("0a040a02fffe"), "m").error().message(),
              HasSubstr("not UTF-8"));
  for (const std::string_view hex : {"0a", "0a05", "0a0561", "80", "00", "0b",
                                     "ffffffffffffffffffff01", "08ffffffffffffffffffff"}) {
    EXPECT_FALSE(DecodePage(FromHex(hex))) << hex;
  }
  // A time in the year 300 billion.
  EXPECT_FALSE(DecodeDeleted(FromHex("0a0c0a0a08ffffffffffffffff7f")));
}

}  // namespace
}  // namespace millwright::providers::grpc
