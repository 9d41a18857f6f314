/** The contract of the service: what a server, its documents and its pages need, and no client. */
export { Api, operations } from "./Api.ts"
export { Authorization, Caller, KeyScope, ParameterCheck, RateLimit } from "./Authorization.ts"
export { openApiDocument } from "./Document.ts"
export { endpoints } from "./internal/endpoint.ts"
export { memberTexts } from "./text/MemberText.ts"
export { textOf } from "./text/OperationText.ts"
export { HeadersTooLarge, MethodNotAllowed, NotFound, UriTooLong } from "./RequestProblem.ts"
