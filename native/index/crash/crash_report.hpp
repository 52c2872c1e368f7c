// Purpose: the result of a durability check as text, and as Google Benchmark JSON.
//
//   std::fputs(text_of(plan, promise, result).c_str(), stdout);
//   write_json(plan, promise, result, gather_facts(ASSAY_BUILD_FACTS, ""));
//
// Thread safety: pure, but for the file. Cost: none.
#pragma once

#include <assay/index/crash/crash_result.hpp>
#include <assay/record/json_context.hpp>

#include <optional>
#include <string>

namespace assay::index::crash {

/// How a check is introduced: the plug-in by name, and what it promises.
struct CrashTitle {
  std::string plugin{};
  Promise promise{Promise::acknowledged};
};

std::string text_of(const CrashPlan& plan, const CrashTitle& title, const CrashResult& result);

nlohmann::ordered_json json_of(const CrashPlan& plan, const CrashTitle& title,
                               const CrashResult& result, const Facts& facts);

/// Whole or not at all: written beside and renamed.
std::optional<Error> write_file(const std::string& path, const std::string& text);

}  // namespace assay::index::crash
