// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "judge/judge.h"

// JSON of the values that cross between host and worker. Every from_json throws on malformed input: use kw::fromJson.
namespace kw {

void to_json(Json& json, const Diagnostic& diagnostic);
void from_json(const Json& json, Diagnostic& diagnostic);
void to_json(Json& json, const SandboxLayer& layer);
void from_json(const Json& json, SandboxLayer& layer);
void to_json(Json& json, const WorkerInfo& info);
void from_json(const Json& json, WorkerInfo& info);
void to_json(Json& json, const LoadedModel& model);
void from_json(const Json& json, LoadedModel& model);
void to_json(Json& json, const ProfileOptions& options);
void from_json(const Json& json, ProfileOptions& options);
void to_json(Json& json, const BuildReport& report);
void from_json(const Json& json, BuildReport& report);
void to_json(Json& json, const VerifyOptions& options);
void from_json(const Json& json, VerifyOptions& options);
void to_json(Json& json, const MeasureRequest& request);
void from_json(const Json& json, MeasureRequest& request);
void to_json(Json& json, const AppliedKernel& kernel);
void from_json(const Json& json, AppliedKernel& kernel);
void to_json(Json& json, const ApplyRequest& request);
void from_json(const Json& json, ApplyRequest& request);
void to_json(Json& json, const AppliedFiles& files);
void from_json(const Json& json, AppliedFiles& files);
void to_json(Json& json, const OutputComparison& comparison);
void from_json(const Json& json, OutputComparison& comparison);
void to_json(Json& json, const ModelMeasureRequest& request);
void from_json(const Json& json, ModelMeasureRequest& request);

} // namespace kw
