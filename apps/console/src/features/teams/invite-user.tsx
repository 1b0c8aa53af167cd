import { inviteToTeam, type TeamDetail } from '@slipway/contract/teams'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { call } from '../../api/client.ts'
import { useForm } from '../../forms/use-form.ts'
import { useUnsavedForm } from '../../forms/use-unsaved.ts'
import { showToast } from '../../shell/toasts/toasts.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { useDialog } from '../../ui/dialog/use-dialog.ts'
import { Form, FormActions } from '../../ui/field/form.tsx'
import { TextField } from '../../ui/field/text-field.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { cacheMembers } from './team-queries.ts'
import { hasRemovals } from './team-removals.ts'

/** A confirmation dialog; `confirm` resolves to the user's decision. */
function useConfirmation<Subject>() {
  const dialog = useDialog<Subject>()
  const resolveConfirmation = useRef<(isConfirmed: boolean) => void>(undefined)
  const settle = (isConfirmed: boolean) => {
    resolveConfirmation.current?.(isConfirmed)
    dialog.close()
  }
  return {
    ...dialog,
    settle,
    confirm: (subject: Subject) =>
      new Promise<boolean>((resolve) => {
        resolveConfirmation.current = resolve
        dialog.openFor(subject)
      }),
  }
}

function useInviteForm(team: TeamDetail, confirm: (email: string) => Promise<boolean>) {
  const { id } = team
  const queryClient = useQueryClient()
  const form = useForm({
    schema: inviteToTeam.body,
    initial: { teamId: id, email: '' },
    errorFields: {
      self_invite_not_possible: 'email',
      already_joined: 'email',
      already_invited: 'email',
    },
    async submit(body) {
      if (!(await confirm(body.email))) return
      try {
        const { email, createdAt } = await call(inviteToTeam, { body })
        cacheMembers(queryClient, id, ({ users, invited }) => ({
          users,
          invited: [
            ...invited.filter((invitation) => invitation.email !== email),
            { email, createdAt },
          ],
        }))
        showToast('success', m.teams_invite_sent_toast({ email }))
        form.set('email', '')
      } catch (error) {
        // The address may belong to a member by now: refetch the members.
        cacheMembers(queryClient, id, (team) => team)
        throw error
      }
    },
  })

  const previousTeam = useRef(team)
  useEffect(() => {
    // A removed member or invitation may resolve the error: clear it.
    if (hasRemovals(previousTeam.current, team)) form.set('email', form.values.email)
    previousTeam.current = team
  })
  useUnsavedForm(m.teams_invite(), form)
  return form
}

/** The owner's form to invite a user by email. */
export function InviteUser({ team }: { team: TeamDetail }) {
  const field = useRef<HTMLInputElement>(null)
  const confirmation = useConfirmation<string>()
  const form = useInviteForm(team, confirmation.confirm)
  // While the dialog is open the form waits for the user, not for the server.
  const isSending = form.pending && !confirmation.open
  const { hash } = useLocation()
  useEffect(() => {
    if (hash === 'invite') field.current?.focus()
  }, [hash])
  return (
    <Card title={m.teams_invite()}>
      <div className="max-w-xl">
        <Form {...form.props} aria-busy={isSending || undefined}>
          <TextField
            {...form.field('email')}
            ref={field}
            label={m.auth_email()}
            description={m.teams_invite_hint()}
            required
            type="email"
            autoComplete="off"
            spellCheck={false}
          />
          {form.failure && <Alert kind="failure">{form.failure}</Alert>}
          <FormActions>
            <Button type="submit" variant="primary" pending={isSending}>
              {m.teams_invite_send()}
            </Button>
          </FormActions>
        </Form>
      </div>
      <ConfirmDialog
        open={confirmation.open}
        tone="primary"
        title={m.teams_invite_title({ email: confirmation.subject ?? '', team: team.name })}
        texts={{ confirm: m.teams_invite_confirm(), cancel: m.shell_cancel() }}
        focusAfter={() => field.current}
        onConfirm={async () => {
          confirmation.settle(true)
          return true
        }}
        onClose={() => confirmation.settle(false)}
      >
        <p>{m.teams_invite_warning()}</p>
      </ConfirmDialog>
    </Card>
  )
}

export const InviteUserSkeleton = () => (
  <Card title={m.teams_invite()}>
    <div className="grid max-w-xl gap-5">
      <div className="grid gap-1.5">
        <Skeleton className="w-20" />
        <div className="control-height flex items-center">
          <Skeleton className="w-full" />
        </div>
        <Skeleton className="w-48" />
      </div>
      <div className="control-height flex items-center pt-1">
        <Skeleton className="w-32" />
      </div>
    </div>
  </Card>
)
