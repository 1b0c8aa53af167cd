const every = ['en-GB', 'tr-TR']

/** Whether everything is tried in every language. */
export const testsEveryLanguage = Boolean(process.env.EVERY_LANGUAGE)

/**
 * The languages of a test that looks at a detail: the one with the longer words. The journeys, every
 * screen's look and what formats and phrases decide are tried in both, and so is everything with
 * `EVERY_LANGUAGE=1`.
 */
export const locales = testsEveryLanguage ? every : every.slice(1)
