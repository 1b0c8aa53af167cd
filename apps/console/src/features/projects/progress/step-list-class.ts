/** One step below the other, or all in a row where there is space. */
export const stepListClass = 'grid gap-x-6 gap-y-2 @min-[48rem]:grid-cols-4'
