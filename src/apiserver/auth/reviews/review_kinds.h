// The kinds that are only asked and never kept: their one verb is create.
#pragma once

#include "apiserver/resources/registry.h"

namespace millwright::apiserver {

// SubjectAccessReview and its like, TokenReview, SelfSubjectReview.
void AddReviewKinds(Registry& registry);

// What a POST to serviceaccounts/NAME/token carries.
ResourcePtr TokenRequestKind();

}  // namespace millwright::apiserver
