import "effect/schema/SchemaJITCompiler/enable"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { program } from "./App.ts"

NodeRuntime.runMain(program)
