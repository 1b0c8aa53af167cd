import { m } from '@slipway/phrases'
import { paths } from '../../paths.ts'
import { Buoy } from '../../ui/drawings.tsx'
import { useDocumentTitle } from '../page/document-title.ts'
import { Notice } from '../page/notice.tsx'

export function PageNotFound() {
  useDocumentTitle(m.shell_page_not_found())
  return (
    <Notice
      drawing={<Buoy />}
      title={m.shell_page_not_found()}
      link={{ to: paths.home(), label: m.shell_home() }}
    >
      {m.shell_page_not_found_hint()}
    </Notice>
  )
}
