import { editorPath } from './cookies.ts'
import { saveDesign, showDesign } from './design-editor.ts'
import { saveContent, showEditor, signOut } from './editor.ts'
import { picturesUploadPath, sectionPaths, signOutPath } from './editor-layout.ts'
import { previewPath } from './editor-page.ts'
import type { Methods } from './handler.ts'
import { changePageList, showPageList } from './page-list.ts'
import { uploadPicture } from './picture-upload.ts'
import { changePicture, showPictures } from './pictures-editor.ts'
import { previewUnsaved, showPreview } from './preview.ts'
import { scriptsPath, showScript } from './scripts.ts'
import { beginSignIn, callbackPath, finishSignIn } from './sign-in.ts'
import { signInPath } from './sign-in-page.ts'

const routes = new Map<string, Methods>([
  [editorPath, { GET: showEditor, POST: saveContent }],
  [previewPath, { GET: showPreview, POST: previewUnsaved }],
  [sectionPaths.pages, { GET: showPageList, POST: changePageList }],
  [sectionPaths.design, { GET: showDesign, POST: saveDesign }],
  [sectionPaths.pictures, { GET: showPictures, POST: changePicture }],
  [picturesUploadPath, { POST: uploadPicture }],
  [signInPath, { GET: beginSignIn }],
  // A HEAD request to the callback would redeem the code without showing a page.
  [callbackPath, { GET: finishSignIn, HEAD: null }],
  [signOutPath, { POST: signOut }],
])

/** The handlers of a path of the editor; undefined for an unknown one. */
export const editorMethods = (path: string): Methods | undefined =>
  routes.get(path) ?? (path.startsWith(scriptsPath) ? { GET: showScript } : undefined)
