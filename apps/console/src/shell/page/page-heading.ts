/** The heading of the page: where the focus goes when what had it is gone. */
export const pageHeading = () => document.querySelector<HTMLElement>('main h1')
