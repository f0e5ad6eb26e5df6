#include "roster/estate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "roster/test_state.h"

namespace outrigger::roster {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class EstateTest : public testing::Test {
 protected:
  void open() { ASSERT_TRUE(estate_.open()) << estate_.open().error().text(); }
  TestState state_;
  Estate estate_{state_.paths()};
};

TEST_F(EstateTest, ReadsTheCardsThatLieThere) {
  state_.put_card(card_of("j1", "/groups/j1"));
  state_.put_card(card_of("j2"));
  open();
  EXPECT_THAT(estate_.job_ids(), UnorderedElementsAre("j1", "j2"));
  const auto card = estate_.job_card("j1");
  ASSERT_TRUE(card);
  EXPECT_EQ(card->job_id, "j1");
  EXPECT_EQ(card->tenant_id, "acme");
  EXPECT_EQ(card->cgroup, "/groups/j1");
  EXPECT_EQ(card->started_at, kStart);
  EXPECT_TRUE(estate_.has_card("j1"));
}

TEST_F(EstateTest, ACardThatIsGoneIsNone) {
  state_.put_card(card_of("j1"));
  open();
  state_.remove_card("j1");
  EXPECT_THAT(estate_.job_ids(), IsEmpty());
  EXPECT_FALSE(estate_.job_card("j1"));
  EXPECT_FALSE(estate_.has_card("j1"));
}

TEST_F(EstateTest, ACardThatNamesAnotherJobIsNone) {
  state_.put("jobs/j1.json", wire::job_card_json(card_of("j2")));
  open();
  EXPECT_FALSE(estate_.job_card("j1"));
}

TEST_F(EstateTest, HalfACardIsNone) {
  const std::string whole = wire::job_card_json(card_of("j1"));
  state_.write("jobs/j1.json", whole.substr(0, whole.size() / 2));
  open();
  EXPECT_FALSE(estate_.job_card("j1"));
}

TEST_F(EstateTest, NamesThatAreNoCardsArePassedOver) {
  for (const char* name : {".j1.json.new", "j1.json.new", "j1", "J1.json", "j 1.json", ".json", "-j1.json"}) {
    state_.write(std::filesystem::path("jobs") / name, wire::job_card_json(card_of("j1")));
  }
  state_.make("jobs/j2.json");
  std::filesystem::create_symlink("/etc/hostname", state_.path() / "jobs/j3.json");
  state_.put_card(card_of("j4"));
  open();
  EXPECT_THAT(estate_.job_ids(), ElementsAre("j4"));
}

TEST_F(EstateTest, OnlyTheFirstOpeningAndAReplacedDirectoryAreNews) {
  EXPECT_TRUE(estate_.open().value());
  EXPECT_FALSE(estate_.open().value());
  for (const char* each : {"jobs", "terminations"}) {
    state_.remove(each);
    state_.make(each);
    EXPECT_TRUE(estate_.open().value()) << each;
    EXPECT_FALSE(estate_.open().value()) << each;
  }
  state_.put_card(card_of("j1"));
  EXPECT_THAT(estate_.job_ids(), ElementsAre("j1"));
}

TEST_F(EstateTest, NoDirectoryIsASentenceWithItsName) {
  state_.remove("jobs");
  const auto opened = estate_.open();
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, base::Code::kNotFound);
  EXPECT_THAT(opened.error().text(), testing::HasSubstr((state_.path() / "jobs").string()));
}

TEST_F(EstateTest, AReplacedDirectoryIsNewsTooWhereTheOtherOneCouldNotBeOpenedAtFirst) {
  open();
  state_.remove("jobs");
  state_.make("jobs");
  std::filesystem::rename(state_.path() / "terminations", state_.path() / "elsewhere");
  ASSERT_FALSE(estate_.open());
  std::filesystem::rename(state_.path() / "elsewhere", state_.path() / "terminations");
  EXPECT_TRUE(estate_.open().value());
}

TEST_F(EstateTest, TheDaemonsCardIsReadAsItIsNow) {
  open();
  EXPECT_FALSE(estate_.daemon_card());
  wire::DaemonCard card;
  card.pid = 4711;
  card.listen = "127.0.0.1:8080";
  card.cgroup_driver = "v2";
  card.cgroup_root = "/sys/fs/cgroup/outrigger";
  state_.put("outriggerd.json", wire::daemon_card_json(card));
  ASSERT_TRUE(estate_.daemon_card());
  EXPECT_EQ(estate_.daemon_card()->pid, 4711U);
  state_.write("outriggerd.json", "{");
  EXPECT_FALSE(estate_.daemon_card());
}

TEST_F(EstateTest, FilesAndDirectoriesAreToldApartAndHiddenNamesLeftOut) {
  state_.make("jobs/a-directory");
  state_.make("jobs/.hidden");
  state_.write("jobs/a-file", "");
  state_.write("jobs/.hidden-file", "");
  open();
  EXPECT_THAT(file_names(estate_.jobs()), ElementsAre("a-file"));
  EXPECT_THAT(directory_names(estate_.jobs()), ElementsAre("a-directory"));
}

}  // namespace
}  // namespace outrigger::roster
