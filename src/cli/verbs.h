#pragma once

#include "cli/options.h"

// Each verb does its work and gives the process's exit status.
namespace outrigger::cli {

int perform(const RunOptions& options);
int perform(const SubmitOptions& options);
int perform(const StatusOptions& options);
int perform(const CancelOptions& options);
int perform(const RunsOptions& options);
int perform(const DoctorOptions& options);
int perform(const RuntimeListOptions& options);
int perform(const RuntimeBuildOptions& options);
int perform(const McpOptions& options);
int perform(const TokenCreateOptions& options);
int perform(const TokenListOptions& options);
int perform(const TokenRevokeOptions& options);
int perform(const TokenQuotaOptions& options);
int perform(const VersionOptions& options);

}  // namespace outrigger::cli
