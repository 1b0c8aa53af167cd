import { parseDotenv } from '@slipway/contract/dotenv'
import { changeEnvironment, variableNameProblem } from '@slipway/contract/environment'
import type { Project } from '@slipway/contract/projects'
import { formatList, getLocale, m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { environmentQuery } from './settings-queries.ts'
// `useForm` loads the messages of a form at its submission; this dialog does without it.
import '../../../forms/area-form-messages.ts'
import { DialogActions } from '../../../forms/dialog-actions.tsx'
import { formMessageText } from '../../../forms/form-message.ts'
import { useAction } from '../../../forms/use-action.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { Form } from '../../../ui/field/form.tsx'
import { TextAreaField } from '../../../ui/field/text-area-field.tsx'

/** The problem of a pasted file; null when it can be sent. */
function problemOf({ variables, wrongLines }: ReturnType<typeof parseDotenv>): string | null {
  if (wrongLines.length > 0)
    return m.environment_wrong_lines({ lines: formatList(wrongLines.map(String), getLocale()) })
  const names = Object.keys(variables)
  if (names.length === 0) return m.environment_paste_empty()
  for (const name of names) {
    const message = variableNameProblem(name)
    if (message) return `${name}: ${formMessageText(message)}`
  }
  return null
}

/** Sets all variables of a pasted `.env` file. Other variables stay. */
export function PasteDialog({
  project,
  open,
  onClose,
}: {
  project: Project
  open: boolean
  onClose: () => void
}) {
  const [text, setText] = useState('')
  const [error, setError] = useState<string | null>(null)
  const queryClient = useQueryClient()
  function close() {
    setText('')
    setError(null)
    onClose()
  }
  const save = useAction(async () => {
    const parsed = parseDotenv(text)
    const problem = problemOf(parsed)
    setError(problem)
    if (problem !== null) return
    const changed = await call(changeEnvironment, {
      params: { id: project.id },
      body: { set: parsed.variables },
    })
    queryClient.setQueryData(environmentQuery(project.id).queryKey, changed)
    close()
  })
  return (
    <Dialog
      open={open}
      title={m.environment_paste()}
      changed={text !== ''}
      closeLabel={m.shell_close()}
      onClose={close}
    >
      <Form
        onSubmit={(event) => {
          event.preventDefault()
          void save.run()
        }}
      >
        <TextAreaField
          name="file"
          label={m.environment_file()}
          description={m.environment_file_hint()}
          value={text}
          error={error ?? undefined}
          onChange={(next) => {
            setText(next)
            setError(null)
          }}
          tall
        />
        <DialogActions action={save} submit={m.shell_save()} onCancel={close} />
      </Form>
    </Dialog>
  )
}
