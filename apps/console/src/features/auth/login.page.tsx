export { Page } from '../../shell/not-yet.page.tsx'
