import { inviteToTeam, type TeamDetail } from '@slipway/contract/teams'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call } from '../../api/client.ts'
import { useForm } from '../../forms/use-form.ts'
import { useUnsavedForm } from '../../forms/use-unsaved.ts'
import { showToast } from '../../shell/toasts/toasts.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Form, FormActions } from '../../ui/field/form.tsx'
import { TextField } from '../../ui/field/text-field.tsx'
import { cacheMembers } from './team-queries.ts'
import { hasRemovals } from './team-removals.ts'

function useInviteForm(team: TeamDetail) {
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

/** The owner's form to invite users by email, below the header of the members. */
export function InviteForm({ team, onClose }: { team: TeamDetail; onClose: () => void }) {
  const field = useRef<HTMLInputElement>(null)
  const form = useInviteForm(team)
  useEffect(() => field.current?.focus(), [])
  return (
    <Card>
      <Form
        {...form.props}
        aria-label={m.teams_invite()}
        aria-busy={form.pending || undefined}
        onKeyDown={(event) => event.key === 'Escape' && onClose()}
      >
        <div className="grid max-w-xl gap-2">
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
          <p>{m.teams_invite_warning()}</p>
        </div>
        {form.failure && <Alert kind="failure">{form.failure}</Alert>}
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>
            {m.teams_invite_send()}
          </Button>
          <Button onClick={onClose}>{m.shell_close()}</Button>
        </FormActions>
      </Form>
    </Card>
  )
}
