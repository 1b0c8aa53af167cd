/** A page of the site as a document, without its style, which this page would not allow. */
export const parsePage = (html: string): Document =>
  new DOMParser().parseFromString(html.replace(/<style>.*?<\/style>/s, ''), 'text/html')
