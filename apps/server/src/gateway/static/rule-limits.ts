/** The maximum number of rules in each of `_redirects` and `_headers`. */
export const maxRules = 1_000

/** The maximum size of each file in bytes: reading a larger one would delay other sites. */
export const maxRuleBytes = 128 * 2 ** 10
