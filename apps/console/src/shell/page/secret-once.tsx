import { m } from '@slipway/phrases'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { useCopy } from '../../ui/copy-button.tsx'
import { FormActions } from '../../ui/field/form.tsx'
import { CopyValue } from './copy-value.tsx'

/** The hint is no `Alert`: the login loads all kinds of alerts, and only this one is a warning. */
const Secret = ({ hint, children }: { hint: string; children: ReactNode }) => (
  <>
    <p
      role="status"
      className="flex items-start gap-2 rounded-md border border-warning/30 bg-warning-soft px-3 py-2"
    >
      <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warning" aria-hidden />
      {hint}
    </p>
    <div className="rounded-md border border-line p-3 font-mono wrap-anywhere">{children}</div>
  </>
)

type Props = { secret: string; hint: string; copyLabel: string }

/** A secret that the service does not store in readable form, with a button that copies it. */
export const SecretOnce = ({ secret, hint, copyLabel }: Props) => (
  <Secret hint={hint}>
    <CopyValue text={secret} label={copyLabel} />
  </Secret>
)

/** The same as the content of a dialog, whose main action copies the secret. */
export function SecretOnceDialog({
  secret,
  hint,
  copyLabel,
  done,
  onDone,
}: Props & { done: string; onDone: () => void }) {
  const { outcome, copy, icon } = useCopy(secret)
  return (
    <div className="grid gap-4">
      <Secret hint={hint}>{secret}</Secret>
      <p role="status" className={outcome === 'failed' ? 'text-danger' : 'sr-only'}>
        {outcome === 'copied' && m.shell_copied()}
        {outcome === 'failed' && m.shell_copy_failed()}
      </p>
      <FormActions>
        {/* The clipboard exists on secure pages only. */}
        {navigator.clipboard && (
          <Button variant="primary" icon={icon} onClick={copy}>
            {copyLabel}
          </Button>
        )}
        <Button onClick={onDone}>{done}</Button>
      </FormActions>
    </div>
  )
}
