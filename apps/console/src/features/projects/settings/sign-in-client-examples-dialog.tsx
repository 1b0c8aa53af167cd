import type { SignInClient } from '@slipway/contract/sign-in-clients'
import { m } from '@slipway/phrases'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { FormActions } from '../../../ui/field/form.tsx'
import { SelectField } from '../../../ui/field/select-field.tsx'
import { clientExamples } from './sign-in-client-examples.ts'

/** Examples of settings for widely used software, with the values of this client. */
export function SignInClientExamplesDialog({
  client,
  issuer,
  open,
  onClose,
}: {
  client: SignInClient
  issuer: string
  open: boolean
  onClose: () => void
}) {
  const examples = clientExamples.filter(({ isConfidential }) => isConfidential !== client.isPublic)
  const [name, setName] = useState(examples[0]?.name)
  const { clientId, redirectUris } = client
  const redirectUri = redirectUris[0] ?? 'http://localhost/callback'
  const code = examples
    .find((example) => example.name === name)
    ?.code({ issuer, clientId, redirectUri })
  return (
    <Dialog
      wide
      open={open}
      title={m.clients_examples_named({ name: client.name })}
      closeLabel={m.shell_close()}
      onClose={onClose}
    >
      {/* As wide as the dialog: long lines scroll. */}
      <div className="flex min-w-0 flex-col gap-4">
        <SelectField
          name="example"
          value={name ?? ''}
          label={m.clients_example_of()}
          options={examples.map((example) => ({ value: example.name, label: example.name }))}
          onChange={setName}
        />
        {code !== undefined && (
          <div className="relative">
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll by keyboard */}
            <pre tabIndex={0} className="overflow-x-auto rounded-md border border-line p-3 pr-12">
              <code>{code}</code>
            </pre>
            <div className="absolute top-1 right-1">
              <CopyButton
                text={code}
                texts={{
                  copy: m.clients_copy_example(),
                  copied: m.shell_copied(),
                  failed: m.shell_copy_failed(),
                }}
              />
            </div>
          </div>
        )}
        <FormActions>
          <Button onClick={onClose}>{m.clients_done()}</Button>
        </FormActions>
      </div>
    </Dialog>
  )
}
