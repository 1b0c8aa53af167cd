import { type UserProfile, updateProfileName } from '@slipway/contract/account'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { profileQuery } from '../../api/queries.ts'
import { EditableField } from '../../forms/editable-field.tsx'
import { PageFrame } from '../../shell/page/page-frame.tsx'
import { useProfile } from '../../shell/session/account-context.ts'
import { showToast } from '../../shell/toasts/toasts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Detail, DetailList } from '../../ui/detail-list.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { AccountTabs } from './account-tabs.tsx'

export function Page() {
  const profile = useProfile()
  return (
    <PageFrame picture={<Avatar name={profile.name} look="heading" />} tabs={<AccountTabs />}>
      <PersonalInfo profile={profile} />
      <Login profile={profile} />
      <Account />
    </PageFrame>
  )
}

function PersonalInfo({ profile: { name, username } }: { profile: UserProfile }) {
  const queryClient = useQueryClient()
  const { queryKey } = profileQuery
  return (
    <Card title={m.account_personal_info()}>
      <DetailList>
        <Detail label={m.account_name()}>
          <EditableField
            schema={updateProfileName.body}
            name="name"
            label={m.account_name()}
            value={name}
            save={async (body) => {
              queryClient.setQueryData(queryKey, await call(updateProfileName, { body }))
              void queryClient.invalidateQueries({ queryKey })
            }}
          />
        </Detail>
        <Detail label={m.account_username()}>{username}</Detail>
      </DetailList>
    </Card>
  )
}

function Login({ profile: { email, loginKind } }: { profile: UserProfile }) {
  return (
    <Card title={m.account_login()}>
      <DetailList>
        <Detail label={m.account_method()}>
          {loginKind === 'Email' ? m.account_method_email() : loginKind}
        </Detail>
        {loginKind === 'Email' && (
          <>
            <Detail label={m.auth_email()}>{email}</Detail>
            <Detail label={m.auth_password()}>
              {/* A fixed number of dots: the console does not know the length. */}
              <span aria-hidden>••••••••</span>
              <VisuallyHidden>{m.account_password_hidden()}</VisuallyHidden>
            </Detail>
          </>
        )}
      </DetailList>
    </Card>
  )
}

const Account = () => (
  <Card title={m.shell_account()}>
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <p className="min-w-60 flex-1 text-muted">{m.account_delete_text()}</p>
      <Button variant="deletes" onClick={() => showToast('info', m.account_not_implemented())}>
        {m.account_delete()}
      </Button>
    </div>
  </Card>
)
