import { m } from '@slipway/phrases'
import { paths } from '../../paths.ts'
import { PageTabs } from '../../shell/navigation/page-tabs.tsx'

export const AccountTabs = () => (
  <PageTabs
    label={m.account_tabs()}
    tabs={[
      { to: paths.profile(), name: m.account_tab_profile() },
      { to: paths.security(), name: m.account_security() },
      { to: paths.tokens(), name: m.tokens_title() },
    ]}
  />
)
