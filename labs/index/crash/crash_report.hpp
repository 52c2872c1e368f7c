// Purpose: the result of a durability check as text, and as Google Benchmark JSON.
//
//   std::fputs(text_of(plan, title, result).c_str(), stdout);
//   write_document(plan.json, document_of(plan, title, result, ASSAY_BUILD_FACTS));
//
// Thread safety: any thread. Cost: after the trials; gathering facts about the host takes 10 ms.
#pragma once

#include <assay/index/crash/crash_result.hpp>
#include <assay/record/build_facts.hpp>

#include <nlohmann/json.hpp>

#include <string>

namespace assay::index::crash {

/// The facts in the heading of a report: the plug-in's name, and what it promises.
struct CrashTitle {
  std::string plugin{};
  Promise promise{Promise::acknowledged};
};

std::string text_of(const CrashPlan& plan, const CrashTitle& title, const CrashResult& result);

nlohmann::ordered_json document_of(const CrashPlan& plan, const CrashTitle& title,
                                   const CrashResult& result, const BuildFacts& build);

}  // namespace assay::index::crash
