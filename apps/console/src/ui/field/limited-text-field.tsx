import type { ComponentProps } from 'react'
import { describeWithLimit, type Limit, LimitAnnouncement } from './length-limit.tsx'
import { TextField } from './text-field.tsx'

/** A `TextField` that counts the remaining characters near its limit. */
export const LimitedTextField = ({
  limit,
  description,
  ...rest
}: ComponentProps<typeof TextField> & { limit: Limit }) => (
  <div>
    <TextField {...rest} description={describeWithLimit(description, rest.value, limit)} />
    <LimitAnnouncement value={rest.value} limit={limit} />
  </div>
)
