#pragma once

namespace outrigger::witness {

// The witness must not be what a machine short of memory kills first: lowers this process's OOM score as far as its
// rights allow (proc(5), oom_score_adj), and logs where they do not.
void protect_from_oom_killer();

// Files kept open are what makes reading thousands of groups cheap: as many as this process may ask for.
void raise_descriptor_limit();

}  // namespace outrigger::witness
