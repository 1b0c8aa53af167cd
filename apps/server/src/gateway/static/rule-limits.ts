/** Rules that `_redirects` and `_headers` each have at most. */
export const maxRules = 1_000

/** Bytes that are read of each at most: more would cost the other sites time. */
export const maxRuleBytes = 128 * 2 ** 10
