package dev.lance4j.scan.internal.expr.json;
public final class Jsonb { public static byte[] encode(String s) { return new byte[0]; } }
