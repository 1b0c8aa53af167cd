import { m } from '@slipway/phrases'
import { paths } from '../paths.ts'
import { useDocumentTitle } from './document-title.ts'
import { LightLayout } from './light.layout.tsx'
import { Notice } from './notice.tsx'

/** Any address that is not in the route table. */
export function Page() {
  useDocumentTitle(m.shell_page_not_found())
  return (
    <LightLayout>
      <Notice title={m.shell_page_not_found()} link={{ to: paths.home(), label: m.shell_home() }}>
        {m.shell_page_not_found_hint()}
      </Notice>
    </LightLayout>
  )
}
