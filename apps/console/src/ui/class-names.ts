/** The given class names in one attribute's value; what is false or missing is left out. */
export const classNames = (...names: (string | false | null | undefined)[]) =>
  names.filter(Boolean).join(' ')
