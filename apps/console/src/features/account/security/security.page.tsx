import { PageFrame } from '../../../shell/page/page-frame.tsx'
import { AccountTabs } from '../account-tabs.tsx'
import { PasswordCard } from './password-card.tsx'
import { SessionsCard } from './sessions-card.tsx'

export function Page() {
  return (
    <PageFrame tabs={<AccountTabs />}>
      <PasswordCard />
      <SessionsCard />
    </PageFrame>
  )
}
