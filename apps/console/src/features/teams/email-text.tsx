import { Fragment } from 'react'

/** An email address that may wrap before its @ and its dots. */
export const EmailText = ({ email }: { email: string }) =>
  email.split(/(?=[@.])/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: equal parts keep their positions
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))
