import { CopyValue } from './copy-value.tsx'

/**
 * An id in a table, with a button that copies it whole. The end of a UUIDv7 tells things apart; its
 * beginning is the time, alike for neighbours.
 */
export const ShortId = ({ id, label }: { id: string; label: string }) => (
  // At the end of a card's line it is the icon that ends it, and not the room for a finger around it.
  <span className="inline-flex max-sm:-mr-2 max-sm:pointer-coarse:-mr-3.5">
    <CopyValue text={id} label={label}>
      <span title={id} className="font-mono text-xs whitespace-nowrap text-muted">
        …{id.slice(-8)}
      </span>
    </CopyValue>
  </span>
)
