import { parseSearch, stringifySearch } from './search-parameters.ts'

// What the router takes addresses apart with where it is given nothing else. The console gives it its own,
// so the build puts those in the place of the router's, which would be loaded and never run.

export const defaultParseSearch = parseSearch
export const defaultStringifySearch = stringifySearch
export const parseSearchWith = () => parseSearch
export const stringifySearchWith = () => stringifySearch
