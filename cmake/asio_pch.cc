// Carries the precompiled header that the asynchronous libraries share.
