/** What every project is an instance of. */
export const website = 'website'
