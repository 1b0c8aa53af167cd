import { m } from '@slipway/phrases'
import { useDocumentTitle } from './document-title.ts'

/**
 * Names the page while a layout waits for what all its pages need, or could not have it: it has no name of
 * its own before.
 */
export function useLoadingTitle(item: string, { data, error }: { data: unknown; error: unknown }) {
  const waiting = error ? m.shell_loading_failed({ item }) : m.shell_loading()
  useDocumentTitle(data === undefined ? waiting : null)
}
