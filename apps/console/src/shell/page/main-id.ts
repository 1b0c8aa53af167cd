/** The id of the main element, the target of the skip link and of the focus after a navigation. */
export const mainId = 'main'
