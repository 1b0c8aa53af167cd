import { CopyValue } from './copy-value.tsx'

/**
 * The end of an id, with a button that copies the whole id. The start of a UUIDv7 is a timestamp,
 * which neighboring rows share.
 */
export const ShortId = ({ id, label }: { id: string; label: string }) => (
  // In a card the icon aligns with the edge, not the touch target around it.
  <span className="inline-flex max-sm:-mr-2 max-sm:pointer-coarse:-mr-3.5">
    <CopyValue text={id} label={label} quiet>
      <span title={id} className="font-mono text-xs whitespace-nowrap text-muted">
        …{id.slice(-8)}
      </span>
    </CopyValue>
  </span>
)
