/** The page's heading, which takes the focus when the focused element disappears. */
export const pageHeading = () => document.querySelector<HTMLElement>('main h1')
