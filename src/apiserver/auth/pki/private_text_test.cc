#include "apiserver/auth/pki/private_text.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "apiserver/store/temp_directory.h"

namespace millwright::apiserver {
namespace {

TEST(PrivateTextTest, ReplacesAFileForItsOwnerOnly) {
  const TempDirectory temp;
  const std::string path = temp.File("a");
  // As after a crash of somebody less careful.
  std::ofstream(path + ".new") << "something longer";
  chmod((path + ".new").c_str(), 0644);
  ASSERT_TRUE(WritePrivateText(path, "one"));
  ASSERT_TRUE(WritePrivateText(path, "two"));
  struct stat info{};
  ASSERT_EQ(stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0600U);
  const auto text = ReadPrivateText(path);
  ASSERT_TRUE(text && *text);
  EXPECT_EQ((*text)->Reveal(), "two");
  EXPECT_FALSE(std::filesystem::exists(path + ".new"));
}

TEST(PrivateTextTest, TellsAbsenceFromTrouble) {
  const TempDirectory temp;
  const auto missing = ReadPrivateText(temp.File("missing"));
  ASSERT_TRUE(missing);
  EXPECT_FALSE(*missing);
  EXPECT_FALSE(ReadPrivateText(temp.File("")));  // a directory
  EXPECT_FALSE(WritePrivateText(temp.File("no/such/place"), "x"));
}

}  // namespace
}  // namespace millwright::apiserver
