import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { CopyValue } from './copy-value.tsx'

/**
 * A secret that the service does not store in readable form, with a button that copies it. The hint
 * is no `Alert`: the login loads all kinds of alerts, and only this one is a warning.
 */
export const SecretOnce = ({
  secret,
  hint,
  copyLabel,
}: {
  secret: string
  hint: string
  copyLabel: string
}) => (
  <>
    <p
      role="status"
      className="flex items-start gap-2 rounded-md border border-warning/30 bg-warning-soft px-3 py-2"
    >
      <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warning" aria-hidden />
      {hint}
    </p>
    <div className="rounded-md border border-line p-3 font-mono">
      <CopyValue text={secret} label={copyLabel} />
    </div>
  </>
)
