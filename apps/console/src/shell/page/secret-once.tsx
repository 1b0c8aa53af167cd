import { Alert } from '../../ui/alert.tsx'
import { CopyValue } from './copy-value.tsx'

/** A secret that the service does not store in readable form, with a button that copies it. */
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
    <Alert kind="success">{hint}</Alert>
    <div className="rounded-md border border-line p-3 font-mono">
      <CopyValue text={secret} label={copyLabel} />
    </div>
  </>
)
