/** The id of the page's main part, where "skip to the content" and each navigation lead. */
export const mainId = 'main'
