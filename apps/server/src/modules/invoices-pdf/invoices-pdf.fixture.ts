import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** The texts of each page of a PDF, as PDF.js reads them. */
export async function textsOf(bytes: Uint8Array): Promise<string[][]> {
  const loading = getDocument({ data: new Uint8Array(bytes), verbosity: 0 })
  const document = await loading.promise
  const pages: string[][] = []
  for (let number = 1; number <= document.numPages; number++) {
    const { items } = await (await document.getPage(number)).getTextContent()
    pages.push(items.flatMap((item) => ('str' in item && item.str.trim() ? [item.str] : [])))
  }
  await loading.destroy()
  return pages
}

export async function propertiesOf(bytes: Uint8Array) {
  const loading = getDocument({ data: new Uint8Array(bytes), verbosity: 0 })
  const document = await loading.promise
  const { info } = (await document.getMetadata()) as { info: Record<string, unknown> }
  const preferences: Map<string, unknown> | null = await document.getViewerPreferences()
  const properties = {
    version: info.PDFFormatVersion,
    language: info.Language,
    title: info.Title,
    showsTitle: preferences?.get('DisplayDocTitle'),
    isMarked: (await document.getMarkInfo())?.Marked ?? false,
  }
  await loading.destroy()
  return properties
}
