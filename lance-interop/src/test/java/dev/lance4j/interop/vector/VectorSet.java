package dev.lance4j.interop.vector;

import dev.lance4j.index.vector.Metric;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Vectors to index, and others of the same kind to search for. */
enum VectorSet {
  /** Without any structure: the hardest to find neighbours in. */
  RANDOM(Metric.L2) {
    @Override
    float[][] vectors(int count) {
      SplittableRandom random = new SplittableRandom(41);
      float[][] vectors = new float[count][DIMENSION];
      for (float[] vector : vectors) {
        for (int d = 0; d < DIMENSION; d++) {
          vector[d] = (float) random.nextGaussian();
        }
      }
      return vectors;
    }
  },

  CLUSTERED(Metric.L2) {
    @Override
    float[][] vectors(int count) {
      return VectorTables.clustered(count, DIMENSION, 100, 42);
    }
  },

  /**
   * Of real words: names of characters, whose words and three-letter parts each have a random
   * direction and count the more the rarer they are.
   */
  TEXT(Metric.COSINE) {
    @Override
    float[][] vectors(int count) {
      List<List<String>> texts = names(count).stream().map(VectorSet::parts).toList();
      Map<String, Integer> frequencies = new HashMap<>();
      texts.forEach(parts -> parts.forEach(part -> frequencies.merge(part, 1, Integer::sum)));
      Map<String, float[]> directions = new HashMap<>();
      frequencies.forEach(
          (part, frequency) ->
              directions.put(part, direction(part, Math.log((double) count / frequency))));
      float[][] vectors = new float[count][DIMENSION];
      for (int i = 0; i < count; i++) {
        for (String part : texts.get(i)) {
          float[] direction = directions.get(part);
          for (int d = 0; d < DIMENSION; d++) {
            vectors[i][d] += direction[d];
          }
        }
      }
      return vectors;
    }
  };

  static final int DIMENSION = 48;

  private static final Pattern WORD = Pattern.compile("[^ -]+");

  private final Metric metric;

  VectorSet(Metric metric) {
    this.metric = metric;
  }

  /** The metric that such vectors are compared by. */
  Metric metric() {
    return metric;
  }

  /** Different vectors, the same ones each time. */
  abstract float[][] vectors(int count);

  private static List<String> names(int count) {
    List<String> names = new ArrayList<>();
    for (int point = 0; point <= Character.MAX_CODE_POINT; point++) {
      // Those without a name of their own are named by their number.
      String name = Character.getName(point);
      if (name != null && !name.endsWith(Integer.toHexString(point).toUpperCase(Locale.ROOT))) {
        names.add(name);
      }
    }
    Collections.shuffle(names, new Random(43));
    return names.subList(0, count);
  }

  private static List<String> parts(String text) {
    List<String> parts = new ArrayList<>();
    for (Matcher words = WORD.matcher(text); words.find(); ) {
      String word = words.group();
      parts.add(word);
      String bounded = "<" + word + ">";
      for (int i = 0; i + 3 <= bounded.length(); i++) {
        parts.add(bounded.substring(i, i + 3));
      }
    }
    return parts;
  }

  private static float[] direction(String part, double length) {
    SplittableRandom random = new SplittableRandom(part.hashCode());
    float[] direction = new float[DIMENSION];
    for (int d = 0; d < DIMENSION; d++) {
      direction[d] = (float) (random.nextGaussian() * length);
    }
    return direction;
  }
}
