import { ApiError } from '@slipway/contract/client'
import { limits } from '@slipway/contract/limits'
import { newTicketMessage, sendTicketMessage, type Ticket } from '@slipway/contract/support'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import Send from 'lucide-react/icons/send'
import { type FormEvent, type KeyboardEvent, useEffect, useRef } from 'react'
import { call } from '../../api/client.ts'
import { useForm } from '../../forms/use-form.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Form } from '../../ui/field/form.tsx'
import { TextAreaField } from '../../ui/field/text-area-field.tsx'
import { charactersLeft } from './characters-left.ts'
import { cacheSentMessage } from './ticket-queries.ts'
import { useDraft } from './use-draft.ts'

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Ctrl+Enter, or ⌘+Enter on a Mac, sends, except while an input method is composing. */
function sendOnEnter(event: KeyboardEvent<HTMLTextAreaElement>) {
  if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
  if (!event.ctrlKey && !event.metaKey) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}

/**
 * The form for a message. `onClosed` is called when the server rejects it because the ticket is
 * closed.
 */
export function SendBox({ ticket: { id }, onClosed }: { ticket: Ticket; onClosed: () => void }) {
  const draft = useDraft(id)
  const isAfterSending = useRef(false)
  const queryClient = useQueryClient()
  const form = useForm({
    schema: newTicketMessage,
    initial: { text: draft.fields.text ?? '' },
    async submit(body) {
      try {
        const message = await call(sendTicketMessage, {
          params: { id },
          body: { ...body, idempotencyKey: draft.keyFor(body) },
        })
        draft.clear()
        isAfterSending.current = true
        form.set('text', '')
        cacheSentMessage(queryClient, id, message)
      } catch (error) {
        if (error instanceof ApiError && error.code === 'ticket_closed') onClosed()
        throw error
      }
    },
  })

  const { text } = form.values
  useEffect(() => {
    draft.save({ text: text ?? '' })
    if (text) isAfterSending.current = false
  }, [draft, text])

  function submit(event: FormEvent) {
    event.preventDefault()
    // A second click after sending: ignore the empty field.
    if (!isAfterSending.current) void form.props.onSubmit(event)
  }

  return (
    <Form {...form.props} onSubmit={submit}>
      <TextAreaField
        label={m.support_reply()}
        placeholder={m.support_reply_placeholder()}
        required
        readOnly={form.pending}
        limit={{ max: limits.ticketMessageMax, text: charactersLeft }}
        onKeyDown={sendOnEnter}
        {...form.field('text')}
      />
      {form.failure && <Alert kind="failure">{form.failure}</Alert>}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" variant="primary" icon={Send} pending={form.pending}>
          {m.support_send()}
        </Button>
        <p className="text-muted pointer-coarse:hidden">
          {m.support_send_hint({ key: isMac ? '⌘' : 'Ctrl' })}
        </p>
      </div>
    </Form>
  )
}
