import { m } from '@slipway/phrases'
import { useDocumentTitle } from './document-title.ts'

/** Sets the document's title while a layout loads the data of its pages, or failed to. */
export function useLoadingTitle(item: string, { data, error }: { data: unknown; error: unknown }) {
  const title = error ? m.shell_loading_failed({ item }) : m.shell_loading()
  useDocumentTitle(data === undefined ? title : null)
}
