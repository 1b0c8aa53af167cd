/** One step below the other, or all in a row where there is space. */
export const stepListClass = 'grid gap-y-2 @min-[48rem]:grid-cols-4'

/** In a row the upper borders of the steps are one line. */
export const stepClass = '@min-[48rem]:border-t-2 @min-[48rem]:pt-3'
