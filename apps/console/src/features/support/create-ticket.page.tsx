import { limits } from '@slipway/contract/limits'
import { createTicket, newTicket } from '@slipway/contract/support'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { call } from '../../api/client.ts'
import { useForm } from '../../forms/use-form.ts'
import { paths } from '../../paths.ts'
import { useIsOnPage } from '../../shell/navigation/is-on-page.ts'
import { ButtonLink } from '../../shell/navigation/link.tsx'
import { PageFrame } from '../../shell/page/page-frame.tsx'
import { showToast } from '../../shell/toasts/toasts.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Form, FormActions } from '../../ui/field/form.tsx'
import { LimitedTextField } from '../../ui/field/limited-text-field.tsx'
import { TextAreaField } from '../../ui/field/text-area-field.tsx'
import { charactersLeft } from './characters-left.ts'
import { cacheCreatedTicket } from './ticket-queries.ts'
import { useDraft } from './use-draft.ts'

function useCreateTicketForm() {
  const draft = useDraft('ticket')
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const isOnPage = useIsOnPage()

  const form = useForm({
    schema: newTicket,
    initial: { subject: draft.fields.subject ?? '', message: draft.fields.message ?? '' },
    async submit(body) {
      const ticket = await call(createTicket, {
        body: { ...body, idempotencyKey: draft.keyFor(body) },
      })
      draft.clear()
      cacheCreatedTicket(queryClient, ticket)
      showToast('success', m.support_created_toast())
      if (isOnPage()) await navigate({ to: paths.ticket(ticket.id), replace: true })
    },
  })

  const { subject, message } = form.values
  useEffect(
    () => draft.save({ subject: subject ?? '', message: message ?? '' }),
    [draft, subject, message],
  )
  return form
}

function CreateTicketForm() {
  const form = useCreateTicketForm()
  return (
    <Form {...form.props}>
      <LimitedTextField
        label={m.support_subject()}
        required
        autoFocus
        autoComplete="off"
        limit={{ max: limits.subjectMax, text: charactersLeft }}
        {...form.field('subject')}
      />
      <TextAreaField
        label={m.support_message()}
        description={m.support_message_hint()}
        required
        tall
        limit={{ max: limits.ticketMessageMax, text: charactersLeft }}
        {...form.field('message')}
      />
      {form.failure && <Alert kind="failure">{form.failure}</Alert>}
      <FormActions>
        <Button type="submit" variant="primary" pending={form.pending}>
          {m.support_create()}
        </Button>
        <ButtonLink to={paths.tickets()}>{m.shell_cancel()}</ButtonLink>
      </FormActions>
    </Form>
  )
}

export const Page = () => (
  <PageFrame description={m.support_create_description()} narrow>
    <Card>
      <CreateTicketForm />
    </Card>
  </PageFrame>
)
