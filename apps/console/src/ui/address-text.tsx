import { Fragment } from 'react'

/** Wraps before an @ or a dot, if it does not fit into a line. */
const Address = ({ text }: { text: string }) => (
  <span className="inline-block max-w-full">
    {text.split(/(?=[@.])/).map((part, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: equal parts keep their positions
      <Fragment key={index}>
        {index > 0 && <wbr />}
        {part}
      </Fragment>
    ))}
  </span>
)

/** A text with an email address or a host, which gets a separate line before it wraps. */
export const AddressText = ({ text }: { text: string }) =>
  text.split(/(\s+)/).map((word, index) =>
    /\S[@.]\S/.test(word) ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the words of a text never move
      <Address key={index} text={word} />
    ) : (
      word
    ),
  )
